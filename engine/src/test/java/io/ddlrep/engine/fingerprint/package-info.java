/** Tests of fingerprints on real nodes. */
@NullMarked
package io.ddlrep.engine.fingerprint;

import org.jspecify.annotations.NullMarked;
