// Preloaded into a run from the sources: loading the code of Playwright ends it.

import process from 'node:process'

Bun.plugin({
  name: 'no-playwright',
  setup(build) {
    build.onLoad({ filter: /node_modules[\\/]playwright(-core)?[\\/](?!package\.json$)/ }, ({ path }) => {
      process.stderr.write(`playwright was loaded: ${path}\n`)
      process.exit(70)
    })
  },
})
