package io.ddlrep.driver.generator;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.TypeParameterElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.WildcardType;
import javax.lang.model.util.ElementFilter;
import javax.tools.ToolProvider;

/**
 * Writes the delegating classes of the driver: run by the build, as a source file, before the driver is compiled.
 *
 * <p>It reads the interfaces from the compiler's model of the target release, not by reflection over the JDK that builds,
 * so that a newer JDK writes the same classes. Every method is delegated, default methods too. What leads back to a
 * connection goes through hooks that the hand-written subclasses implement:
 *
 * <pre>
 *   ResultSet f()          return resultSet(delegate.f());
 *   Array f()              return array(delegate.f());
 *   Object getObject(..)   return object(delegate.getObject(..));
 *   f(Array) setObject(..) delegate.f(Raw.of(array))
 * </pre>
 */
public final class DelegateGenerator {
    private static final String PACKAGE = "io.ddlrep.driver.delegate";
    private static final String RESULT_SET = "java.sql.ResultSet";
    private static final String ARRAY = "java.sql.Array";

    /** A class to write: what it extends, which field holds the delegate and of which types that field is. */
    private record Spec(String name, String parent, String field, List<String> interfaces) {}

    private static final List<Spec> SPECS = List.of(
            new Spec("Connection", "", "delegate", List.of("org.postgresql.core.BaseConnection")),
            new Spec("Statement", "", "delegate", List.of("java.sql.Statement", "org.postgresql.PGStatement")),
            new Spec("PreparedStatement", "DdlrepStatement", "prepared", List.of("java.sql.PreparedStatement")),
            new Spec("CallableStatement", "DdlrepPreparedStatement", "callable", List.of("java.sql.CallableStatement")),
            new Spec("ResultSet", "", "delegate", List.of(RESULT_SET, "org.postgresql.PGRefCursorResultSet")),
            new Spec("DatabaseMetaData", "", "delegate", List.of("java.sql.DatabaseMetaData")),
            new Spec("Array", "", "delegate", List.of(ARRAY)));

    private final JavacTask compiler;
    private final Path target;

    private DelegateGenerator(JavacTask compiler, Path target) {
        this.compiler = compiler;
        this.target = target;
    }

    /**
     * Writes all classes.
     *
     * @param args the directory to write to, the class path with pgjdbc, the release to generate for
     */
    public static void main(String[] args) {
        JavacTask compiler = (JavacTask) ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, null, List.of("--release", args[2], "-cp", args[1]), List.of("java.lang.Object"), null);
        Path target = Path.of(args[0]).resolve(PACKAGE.replace('.', '/'));
        DelegateGenerator generator = new DelegateGenerator(compiler, target);
        SPECS.forEach(generator::write);
    }

    private void write(Spec spec) {
        String className = "Delegating" + spec.name();
        StringBuilder text = new StringBuilder();
        text.append("package ").append(PACKAGE).append(";\n\n");
        text.append("/** Delegates every method; written by the build, see DelegateGenerator. */\n");
        text.append("@org.jspecify.annotations.NullUnmarked\n");
        text.append("@SuppressWarnings({\"deprecation\", \"removal\", \"rawtypes\", \"overloads\", \"try\"})\n");
        text.append("abstract class ").append(className);
        text.append(spec.parent().isEmpty() ? "" : " extends " + spec.parent());
        text.append(" implements ").append(String.join(", ", spec.interfaces())).append(" {\n");
        fields(spec, className, text);
        Set<String> hooks = new TreeSet<>();
        for (Map.Entry<String, Method> method : methods(spec).entrySet()) {
            body(method.getValue(), hooks, text);
        }
        if (spec.parent().isEmpty()) {
            hooks.forEach(hook -> text.append("\n    ").append(hook).append(";\n"));
            text.append("\n    @Override\n    public String toString() {\n        return delegate.toString();\n    }\n");
        }
        text.append("}\n");
        try {
            Files.createDirectories(target);
            Path file = target.resolve(className + ".java");
            // An unchanged file keeps its time, so that an incremental build has nothing to do.
            if (!Files.exists(file) || !Files.readString(file).contentEquals(text)) {
                Files.writeString(file, text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void fields(Spec spec, String className, StringBuilder text) {
        List<String> names = fieldNames(spec);
        for (int i = 0; i < names.size(); i++) {
            text.append("    protected final ").append(spec.interfaces().get(i)).append(' ');
            text.append(names.get(i)).append(";\n");
        }
        String first = spec.interfaces().get(0);
        boolean child = !spec.parent().isEmpty();
        text.append("\n    ").append(className).append('(');
        text.append(child ? "DdlrepConnection connection, " : "").append(first).append(" delegate");
        boolean prepared = spec.parent().equals("DdlrepPreparedStatement");
        text.append(prepared ? ", String whole, io.ddlrep.driver.session.SqlText sql" : "").append(") {\n");
        if (child) {
            text.append("        super(connection, delegate").append(prepared ? ", whole, sql" : "").append(");\n");
        }
        for (int i = 0; i < names.size(); i++) {
            text.append("        this.").append(names.get(i)).append(" = ");
            text.append(i == 0 ? "" : "(" + spec.interfaces().get(i) + ") ").append("delegate;\n");
        }
        text.append("    }\n");
    }

    private static List<String> fieldNames(Spec spec) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < spec.interfaces().size(); i++) {
            names.add(i == 0 ? spec.field() : "pg" + spec.field().substring(0, 1).toUpperCase(Locale.ROOT)
                    + spec.field().substring(1));
        }
        return names;
    }

    private record Method(ExecutableElement element, String field, String throwing) {}

    /** All methods of the spec's interfaces, without those that a parent class has delegated already. */
    private Map<String, Method> methods(Spec spec) {
        Map<String, Method> methods = new TreeMap<>();
        List<String> names = fieldNames(spec);
        for (int i = 0; i < spec.interfaces().size(); i++) {
            String field = names.get(i);
            for (ExecutableElement method : methodsOf(spec.interfaces().get(i))) {
                methods.putIfAbsent(signature(method), new Method(method, field, throwsClause(method)));
            }
        }
        for (Spec parent : SPECS) {
            boolean above = spec.parent().equals("Ddlrep" + parent.name());
            if (above) {
                inherited(parent).forEach(methods::remove);
            }
        }
        return methods;
    }

    private Set<String> inherited(Spec spec) {
        Set<String> signatures = new TreeSet<>();
        spec.interfaces().forEach(name -> methodsOf(name).forEach(method -> signatures.add(signature(method))));
        return signatures;
    }

    private List<ExecutableElement> methodsOf(String interfaceName) {
        TypeElement type = compiler.getElements().getTypeElement(interfaceName);
        if (type == null) {
            throw new IllegalStateException(interfaceName + " is not on the class path");
        }
        Map<String, ExecutableElement> found = new LinkedHashMap<>();
        for (ExecutableElement method : ElementFilter.methodsIn(compiler.getElements().getAllMembers(type))) {
            boolean instance = !method.getModifiers().contains(Modifier.STATIC);
            Element owner = method.getEnclosingElement();
            if (instance && !owner.toString().equals("java.lang.Object")) {
                found.putIfAbsent(signature(method), method);
            }
        }
        return List.copyOf(found.values());
    }

    private static String throwsClause(ExecutableElement method) {
        StringJoiner thrown = new StringJoiner(", ", " throws ", "").setEmptyValue("");
        method.getThrownTypes().forEach(type -> thrown.add(text(type)));
        return thrown.toString();
    }

    private static String signature(ExecutableElement method) {
        StringJoiner parameters = new StringJoiner(",", method.getSimpleName() + "(", ")");
        method.getParameters().forEach(parameter -> parameters.add(erasure(parameter.asType())));
        return parameters.toString();
    }

    private static String erasure(TypeMirror type) {
        return text(type).replaceAll("<.*>", "");
    }

    private static void body(Method method, Set<String> hooks, StringBuilder text) {
        ExecutableElement element = method.element();
        String name = element.getSimpleName().toString();
        StringJoiner declared = new StringJoiner(", ");
        StringJoiner passed = new StringJoiner(", ");
        int number = 1;
        for (VariableElement parameter : element.getParameters()) {
            String type = text(parameter.asType());
            boolean object = type.equals("java.lang.Object") && (name.equals("setObject") || name.equals("updateObject"));
            boolean last = element.isVarArgs() && number == element.getParameters().size();
            declared.add((last ? type.substring(0, type.length() - 2) + "..." : type) + " p" + number);
            passed.add(type.equals(ARRAY) || object ? "Raw.of(p" + number + ")" : "p" + number);
            number++;
        }
        String returned = text(element.getReturnType());
        text.append("\n    @Override\n    public ").append(typeParameters(element)).append(returned).append(' ');
        text.append(name).append('(').append(declared).append(')').append(method.throwing()).append(" {\n        ");
        String call = method.field() + "." + name + "(" + passed + ")";
        text.append(returned.equals("void") ? "" : "return ").append(hooked(element, returned, call, hooks));
        text.append(";\n    }\n");
    }

    private static String hooked(ExecutableElement method, String returned, String call, Set<String> hooks) {
        String sql = " throws java.sql.SQLException";
        if (returned.equals(RESULT_SET)) {
            hooks.add("protected abstract java.sql.ResultSet resultSet(java.sql.ResultSet raw)" + sql);
            return "resultSet(" + call + ")";
        }
        if (returned.equals(ARRAY)) {
            hooks.add("protected abstract java.sql.Array array(java.sql.Array raw)");
            return "array(" + call + ")";
        }
        if (method.getSimpleName().contentEquals("getObject") && !isPrimitive(method.getReturnType())) {
            hooks.add("protected abstract <T> T object(T raw)" + sql);
            return "object(" + call + ")";
        }
        return call;
    }

    private static boolean isPrimitive(TypeMirror type) {
        return type.getKind().isPrimitive() || type.getKind() == TypeKind.VOID;
    }

    private static String typeParameters(ExecutableElement method) {
        StringJoiner parameters = new StringJoiner(", ", "<", "> ").setEmptyValue("");
        for (TypeParameterElement parameter : method.getTypeParameters()) {
            parameters.add(parameter.getSimpleName());
        }
        return parameters.toString();
    }

    /** The type as source text, without the annotations that its class file carries. */
    private static String text(TypeMirror type) {
        if (type instanceof ArrayType array) {
            return text(array.getComponentType()) + "[]";
        }
        if (type instanceof DeclaredType declared) {
            StringJoiner arguments = new StringJoiner(", ", "<", ">").setEmptyValue("");
            declared.getTypeArguments().forEach(argument -> arguments.add(text(argument)));
            return ((TypeElement) declared.asElement()).getQualifiedName() + arguments.toString();
        }
        if (type instanceof WildcardType wildcard) {
            TypeMirror upper = wildcard.getExtendsBound();
            TypeMirror lower = wildcard.getSuperBound();
            return upper != null ? "? extends " + text(upper) : lower != null ? "? super " + text(lower) : "?";
        }
        return type.getKind().isPrimitive() || type.getKind() == TypeKind.VOID
                ? type.getKind().name().toLowerCase(Locale.ROOT)
                : type.toString().replaceAll("@\\S+\\s+", "");
    }
}
