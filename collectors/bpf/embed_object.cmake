# Writes a compiled program for the kernel as an array of a C++ source file: OBJECT into SOURCE, with the FUNCTION that HEADER
# declares.
file(READ ${OBJECT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${SOURCE} "#include \"${HEADER}\"\n
namespace tcpscope {\n
namespace {\n
alignas(8) constexpr unsigned char kObject[] = {${bytes}};\n
}  // namespace\n
std::span<const unsigned char> ${FUNCTION}() {
  return kObject;
}\n
}  // namespace tcpscope\n")
