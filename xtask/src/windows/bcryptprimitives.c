/* Rust's standard library asks bcryptprimitives.dll for random bytes. Wine has
   that library from version 9 on; before, this one stands in for it, with the
   same source of randomness under its older name. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length)
{
    while (length > 0) {
        ULONG part = length < 0x40000000 ? (ULONG)length : 0x40000000;
        if (!SystemFunction036(buffer, part))
            return FALSE;
        buffer += part;
        length -= part;
    }
    return TRUE;
}
