/**
 * What a database holds, as canonical text that can be compared between nodes: its catalogs
 * ({@link io.ddlrep.testkit.dump.CatalogDump}, {@link io.ddlrep.testkit.dump.PgDump}) and its rows
 * ({@link io.ddlrep.testkit.dump.TableDump}). Independent of the engine on purpose: it checks the engine's work.
 */
@NullMarked
package io.ddlrep.testkit.dump;

import org.jspecify.annotations.NullMarked;
