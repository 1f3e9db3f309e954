package io.ddlrep.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.PGConnection;
import org.postgresql.PGRefCursorResultSet;
import org.postgresql.PGStatement;
import org.postgresql.core.BaseConnection;

class DelegationTest {
    static Stream<Arguments> wrappers() {
        return Stream.of(
                Arguments.of("DdlrepConnection", List.of(Connection.class, PGConnection.class, BaseConnection.class)),
                Arguments.of("DdlrepStatement", List.of(Statement.class, PGStatement.class)),
                Arguments.of("DdlrepPreparedStatement", List.of(PreparedStatement.class, PGStatement.class)),
                Arguments.of("DdlrepCallableStatement", List.of(CallableStatement.class, PGStatement.class)),
                Arguments.of("DdlrepResultSet", List.of(ResultSet.class, PGRefCursorResultSet.class)),
                Arguments.of("DdlrepDatabaseMetaData", List.of(DatabaseMetaData.class)),
                Arguments.of("DdlrepArray", List.of(Array.class)));
    }

    @ParameterizedTest
    @MethodSource("wrappers")
    void no_interface_method_is_left_undelegated(String name, List<Class<?>> interfaces) throws Exception {
        Class<?> wrapper = Class.forName("io.ddlrep.driver.delegate." + name);
        List<String> missing = new ArrayList<>();
        for (Class<?> contract : interfaces) {
            assertThat(contract).isAssignableFrom(wrapper);
            for (Method method : contract.getMethods()) {
                if (Modifier.isStatic(method.getModifiers())) {
                    continue;
                }
                Method own = wrapper.getMethod(method.getName(), method.getParameterTypes());
                if (own.getDeclaringClass().isInterface() || Modifier.isAbstract(own.getModifiers())) {
                    missing.add(method.toString());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("wrappers")
    void wrappers_are_equal_by_identity_only(String name, List<Class<?>> interfaces) throws Exception {
        Class<?> wrapper = Class.forName("io.ddlrep.driver.delegate." + name);
        assertThat(interfaces).isNotEmpty();
        assertThat(wrapper.getMethod("equals", Object.class).getDeclaringClass())
                .isEqualTo(Object.class);
        assertThat(wrapper.getMethod("hashCode").getDeclaringClass()).isEqualTo(Object.class);
    }
}
