// Starts the program of its arguments with pipes of Windows, as a client there does, and copies its own input and output to them: a pipe
// of Linux as standard input is none that Wine can open anew.
#include <windows.h>
#include <string.h>

struct copy {
  HANDLE from, to;
};

static DWORD WINAPI copy(void *value) {
  struct copy *pair = value;
  char bytes[65536];
  DWORD count, written;
  while (ReadFile(pair->from, bytes, sizeof bytes, &count, NULL) && count > 0)
    WriteFile(pair->to, bytes, count, &written, NULL);
  CloseHandle(pair->to);
  return 0;
}

int main(void) {
  SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
  HANDLE in_read, in_write, out_read, out_write;
  CreatePipe(&in_read, &in_write, &inherited, 0);
  CreatePipe(&out_read, &out_write, &inherited, 0);
  SetHandleInformation(in_write, HANDLE_FLAG_INHERIT, 0);
  SetHandleInformation(out_read, HANDLE_FLAG_INHERIT, 0);
  STARTUPINFOA start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
  start.hStdInput = in_read;
  start.hStdOutput = out_write;
  start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
  PROCESS_INFORMATION child;
  char *line = strchr(GetCommandLineA(), ' ');
  if (line == NULL) return 127;
  line += strspn(line, " ");
  if (!CreateProcessA(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child)) return 127;
  CloseHandle(in_read);
  CloseHandle(out_write);
  struct copy down = {GetStdHandle(STD_INPUT_HANDLE), in_write};
  struct copy up = {out_read, GetStdHandle(STD_OUTPUT_HANDLE)};
  CreateThread(NULL, 0, copy, &down, 0, NULL);
  copy(&up);
  DWORD code;
  WaitForSingleObject(child.hProcess, INFINITE);
  GetExitCodeProcess(child.hProcess, &code);
  return code;
}
