import { expect, test } from 'bun:test'
import { createServers } from '../../../../src/core/devserver/start/dev-servers.ts'

const hooks = { onLine() {}, onExit() {}, onMove() {}, async onStarted() {}, onProgress() {} }

test.each(['25912 --directory /', '', '0', '65536', '1e3', ' 80', '080', '$(id)'])(
  'PORT is a number, and not %j',
  async (PORT) => {
    const servers = createServers({ folder: '/nowhere', parentEnv: {}, outputFolder: '/nowhere' })
    const request = { command: 'exit', env: { PORT } }
    expect(await servers.start(request, hooks, new AbortController().signal)).toMatchObject({
      ok: false,
      error: { code: 'INVALID_PARAMETERS', field: 'env.PORT' },
    })
  },
)
