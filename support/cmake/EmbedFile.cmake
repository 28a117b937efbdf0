# Writes OUT/SYMBOL.{hpp,cpp} holding the bytes of INPUT; see hitmark_embed.
file(READ ${INPUT} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE ${OUT}/${SYMBOL}.hpp "#pragma once\n#include <string_view>\n\nnamespace hitmark::embedded {\nextern const std::string_view ${SYMBOL};\n}\n")
file(WRITE ${OUT}/${SYMBOL}.cpp "#include \"embedded/${SYMBOL}.hpp\"\n\nnamespace hitmark::embedded {\nnamespace {\nconst char bytes[] = {${bytes}'\\0'};\n}\nextern const std::string_view ${SYMBOL}{bytes, ${size}};\n}\n")
