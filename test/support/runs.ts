// Properties whose runs cost a call or a process each: a quarter of the runs at the commit, all of them in test:deep.

import process from 'node:process'

export const deepRuns = (count: number): number =>
  process.env['TEST_BROWSER'] === 'firefox' ? count : Math.ceil(count / 4)
