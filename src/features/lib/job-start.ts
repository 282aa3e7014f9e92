// `footlight verify --ci` counts what ran since its command began: its own process and the servers that it starts know when that was.

import process from 'node:process'

/** It belongs to no option. */
const VARIABLE = 'FOOTLIGHT_JOB_START'

export const beginJob = (): void => void (process.env[VARIABLE] = String(Math.floor(performance.timeOrigin)))

/** Unix milliseconds; evidence from before does not count. */
export const findJobStart = (): number => Number(process.env[VARIABLE]) || 0
