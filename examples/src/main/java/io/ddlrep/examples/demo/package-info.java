/**
 * The demo: three real nodes, writers, and scripts through {@code jdbc:ddlrep:}. {@code Demo} is the story,
 * {@code EmbeddedGroup} the group that {@code dev} uses too.
 */
@NullMarked
package io.ddlrep.examples.demo;

import org.jspecify.annotations.NullMarked;
