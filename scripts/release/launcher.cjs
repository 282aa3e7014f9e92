#!/usr/bin/env node
// Starts the executable that npm installed for this platform, and ends as it ends. FOOTLIGHT_BINARY names another one. Where there
// is none (another platform, or optional dependencies were left out) the same program runs on Node.
'use strict'

const { spawn } = require('node:child_process')
const { constants } = require('node:os')
const { isatty } = require('node:tty')

function isNodeNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 20 || (major === 20 && minor >= 3)
}

function isMusl() {
  if (process.platform !== 'linux') return false
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime === undefined
}

function platformName() {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return `${system}-${process.arch}${isMusl() ? '-musl' : ''}`
}

function installed() {
  const program = process.platform === 'win32' ? 'footlight.exe' : 'footlight'
  try {
    return require.resolve(`@footlight/${platformName()}/${program}`)
  } catch {
    return undefined
  }
}

function fail(text) {
  process.stderr.write(`footlight: ${text}\n`)
  process.exit(1)
}

function start(program, named) {
  // A program that is named only once cannot start itself for ever.
  const { FOOTLIGHT_BINARY: _, ...env } = process.env
  const child = spawn(program, process.argv.slice(2), { stdio: 'inherit', env })
  child.on('error', ({ message }) =>
    fail(
      named
        ? `FOOTLIGHT_BINARY: ${message}; name an executable of footlight, or unset it`
        : `${message}; install it again with npm install -g footlight, or name an executable with FOOTLIGHT_BINARY`,
    ),
  )
  // A terminal sends Ctrl-C to both of us, and the second one would cut its ending short.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      if (signal === 'SIGTERM' || !isatty(0)) child.kill(signal)
    })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

const named = process.env.FOOTLIGHT_BINARY
const program = named || installed()
if (program) start(program, Boolean(named))
else if (isNodeNewEnough()) {
  process.stderr.write(`footlight: no executable for ${platformName()} is installed; running on Node\n`)
  void import('./footlight.mjs')
} else {
  fail(
    `no executable for ${platformName()} is installed, and to run without it Node 20.3 or later is needed; this is ${process.version}`,
  )
}
