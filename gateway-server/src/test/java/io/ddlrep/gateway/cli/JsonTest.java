package io.ddlrep.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void values_of_every_kind() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("text", "a\"b\\c\nd\te\u0001é");
        map.put("number", 7L);
        map.put("flag", true);
        map.put("some", Optional.of(false));
        map.put("none", Optional.empty());
        map.put("list", List.of("x", List.of(), Map.of()));
        assertThat(Json.of(map))
                .isEqualTo(
                        "{\"text\":\"a\\\"b\\\\c\\nd\\te\\u0001é\",\"number\":7,\"flag\":true,\"some\":false,\"none\":null,"
                                + "\"list\":[\"x\",[],{}]}");
    }
}
