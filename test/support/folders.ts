/** What the files of each folder of src may import; main.ts is a folder of its own here. */
export const may: Record<string, readonly string[]> = {
  core: ['core'],
  runtime: ['core', 'runtime'],
  browser: ['core', 'runtime', 'browser'],
  devserver: ['core', 'runtime', 'devserver'],
  tools: ['core', 'tools', 'runtime/ports'],
  mcp: ['core', 'tools', 'runtime/ports', 'mcp'],
  cli: ['core', 'runtime', 'browser', 'devserver', 'tools', 'mcp', 'cli'],
  'main.ts': ['cli'],
}
