// A display without a screen, for windows.

export interface Display {
  /** Its name, for the variable DISPLAY. */
  readonly name: string
  stop(): Promise<void>
}

/** Starts Xvfb at a free number. */
export async function startDisplay(size: `${number}x${number}`): Promise<Display> {
  const server = Bun.spawn(['Xvfb', '-displayfd', '1', '-screen', '0', `${size}x24`], {
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const { value } = await (server.stdout as ReadableStream<Uint8Array>).getReader().read()
  return {
    name: `:${new TextDecoder().decode(value).trim()}`,
    async stop() {
      server.kill()
      await server.exited
    },
  }
}
