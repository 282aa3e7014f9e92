// `bun bench/baseline-crowd.ts NAME SESSIONS URL BROWSER SANDBOX`: one crowd of a baseline, as JSON. It has a process of its own, as each server has: in the
// process of the bench its code would have been compiled by all the acts before, and it made twice as many clicks as in a new one.

import process from 'node:process'
import { createBaselines } from './baselines.ts'
import { crowdOfBaseline } from './sessions.ts'

const [name, sessions, url = '', executablePath = '', sandbox] = process.argv.slice(2)
const baseline = createBaselines(executablePath, sandbox === 'true').find((one) => one.name === name)
if (!baseline) throw new Error(`There is no baseline ${name}.`)
process.stdout.write(JSON.stringify(await crowdOfBaseline(baseline, Number(sessions), url)))
