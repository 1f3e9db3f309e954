/** The main job as tests. */
@NullMarked
package io.ddlrep.examples.demo;

import org.jspecify.annotations.NullMarked;
