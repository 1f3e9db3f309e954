/** What JUnit tests share: visible skips and seeded randomness. The only package that needs JUnit at run time. */
@NullMarked
package io.ddlrep.testkit.junit;

import org.jspecify.annotations.NullMarked;
