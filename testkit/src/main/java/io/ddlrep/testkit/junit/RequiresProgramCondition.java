package io.ddlrep.testkit.junit;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides {@link RequiresProgram}. Stateless. */
final class RequiresProgramCondition implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), RequiresProgram.class)
                .map(annotation -> evaluate(annotation.value()))
                .orElseGet(() -> ConditionEvaluationResult.enabled("needs no program"));
    }

    static ConditionEvaluationResult evaluate(String... programs) {
        List<String> missing = Arrays.stream(programs)
                .filter(program -> Programs.find(program).isEmpty())
                .toList();
        return missing.isEmpty()
                ? ConditionEvaluationResult.enabled("all programs are there")
                : ConditionEvaluationResult.disabled("not on this machine: " + String.join(", ", missing));
    }
}
