/**
 * Speed, measured side by side: each figure stands next to a peer's from the same run. {@code Benchmarks} is the program,
 * {@code Lab} the servers, {@code Report} what is printed; every other class is one benchmark or a part of one.
 */
@NullMarked
package io.ddlrep.benchmarks;

import org.jspecify.annotations.NullMarked;
