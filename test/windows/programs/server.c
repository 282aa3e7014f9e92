// A dev server of two processes, as most are on Windows: the first starts the second and waits, and only the second listens. With `wait` it only
// waits.
#include <winsock2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char answer[] =
    "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n"
    "<!doctype html><title>Shop</title><button onclick=\"this.textContent = 'Bought'; console.error('no stock')\">Buy</button>";

static int serve(int port) {
  WSADATA data;
  WSAStartup(MAKEWORD(2, 2), &data);
  SOCKET listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 16) != 0) return 1;
  printf("listening on http://127.0.0.1:%d\n", port);
  fflush(stdout);
  for (;;) {
    SOCKET connection = accept(listener, NULL, NULL);
    char request[4096];
    recv(connection, request, sizeof request, 0);
    send(connection, answer, sizeof answer - 1, 0);
    shutdown(connection, SD_SEND);
    closesocket(connection);
  }
}

int main(int count, char **words) {
  if (count > 1 && strcmp(words[1], "worker") == 0) return serve(atoi(getenv("PORT")));
  if (count > 1 && strcmp(words[1], "wait") == 0) Sleep(INFINITE);
  char path[MAX_PATH], line[MAX_PATH + 10];
  GetModuleFileNameA(NULL, path, sizeof path);
  snprintf(line, sizeof line, "\"%s\" worker", path);
  STARTUPINFOA start = {.cb = sizeof start};
  PROCESS_INFORMATION child;
  if (!CreateProcessA(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child)) return 127;
  WaitForSingleObject(child.hProcess, INFINITE);
  return 0;
}
