/** Writers that keep a node busy while a test changes it. The door is {@link io.ddlrep.testkit.load.LoadGenerator}. */
@NullMarked
package io.ddlrep.testkit.load;

import org.jspecify.annotations.NullMarked;
