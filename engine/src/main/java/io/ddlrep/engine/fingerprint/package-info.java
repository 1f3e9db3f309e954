/**
 * Fingerprints: everything that the catalogs say about a relation or a schema, as comparable text. The facts are made by
 * functions of the control schema; here they are read and compared.
 */
@NullMarked
package io.ddlrep.engine.fingerprint;

import org.jspecify.annotations.NullMarked;
