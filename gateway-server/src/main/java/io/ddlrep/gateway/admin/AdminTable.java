package io.ddlrep.gateway.admin;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A table of the virtual database. Immutable; its rows are read anew by each query.
 *
 * @param name its name
 * @param columns its columns
 * @param rows reads the rows, each as long as the columns and of their types; may block
 */
public record AdminTable(String name, List<Column> columns, Supplier<List<@Nullable Object[]>> rows) {}
