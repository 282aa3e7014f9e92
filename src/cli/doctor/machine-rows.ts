// The rows about the machine around the browsers.

import type { Facts } from './facts.ts'
import type { CheckRow } from './check-row.ts'
import { sandboxProblem } from '../../browser/launch/sandbox.ts'

const MB = 1024 * 1024

export function sandbox({ sandbox: facts }: Facts): CheckRow {
  const check = 'sandbox'
  if (facts === undefined) return { check, state: 'skip', found: 'no Chromium was found' }
  const problem = sandboxProblem(facts)
  if (problem === undefined) return { check, state: 'ok', found: "Chromium's sandbox is on" }
  const next = facts.isRoot
    ? 'run footlight as another user where pages are not trusted'
    : facts.apparmorRestrictUserns === 1
      ? 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'
      : 'sudo sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000'
  return { check, state: 'warn', found: `Chromium runs without its sandbox: ${problem}`, next }
}

export function display({ display: { name, socket }, settings: { headless }, platform }: Facts): CheckRow {
  const check = 'display'
  if (platform !== 'linux') return { check, state: 'ok', found: 'windows can be shown' }
  if (name === undefined)
    return {
      check,
      state: 'ok',
      found: headless ? 'none; not needed for headless' : 'none; browsers run headless',
    }
  if (socket) return { check, state: 'ok', found: name }
  return {
    check,
    state: headless ? 'warn' : 'fail',
    found: `${name} is set, but no display responds`,
    next: 'start the display, unset DISPLAY, or pass --headless',
  }
}

export function sharedMemory({ sharedMemory: bytes, platform }: Facts): CheckRow {
  const check = 'shared memory'
  if (platform !== 'linux') return { check, state: 'skip', found: 'only Linux uses /dev/shm' }
  if (bytes === undefined)
    return { check, state: 'warn', found: '/dev/shm is missing', next: 'mount a tmpfs there' }
  const found = `/dev/shm has ${Math.round(bytes / MB)} MB`
  if (bytes > 64 * MB) return { check, state: 'ok', found }
  return {
    check,
    state: 'warn',
    found: `${found}; Chromium runs without it, Firefox may crash on large pages`,
    next: 'start the container with --shm-size=1g or --ipc=host',
  }
}

export function fonts({ fonts: facts }: Facts): CheckRow {
  const check = 'fonts'
  const next =
    'apt-get install -y fonts-dejavu-core fonts-noto-color-emoji fonts-noto-cjk, or the equivalent packages of your system'
  if (facts === undefined) return { check, state: 'skip', found: 'provided by the system' }
  if (facts.files === 0 && facts.kit)
    return {
      check,
      state: 'warn',
      found: 'no fonts installed; the unpacked browser has one for Latin text',
      next,
    }
  if (facts.files === 0)
    return { check, state: 'fail', found: 'no fonts installed: pages show no text', next }
  if (!facts.config)
    return {
      check,
      state: 'warn',
      found: `${facts.files} font files, but no /etc/fonts/fonts.conf`,
      next: 'apt-get install -y fontconfig',
    }
  const lacking = [...(facts.emoji ? [] : ['emoji']), ...(facts.cjk ? [] : ['Chinese, Japanese and Korean'])]
  const found = `${facts.files} font files`
  if (lacking.length === 0) return { check, state: 'ok', found }
  return {
    check,
    state: 'warn',
    found: `${found}, but none for ${lacking.join(' or ')}: such text is rendered as boxes`,
    next,
  }
}

export function loopback({ loopback: { v4, v6 } }: Facts): CheckRow {
  const check = 'loopback'
  if (v4 !== undefined)
    return {
      check,
      state: 'fail',
      found: `cannot listen on 127.0.0.1: ${v4}`,
      next: 'ip link set lo up, or allow it in the sandbox around footlight',
    }
  return {
    check,
    state: 'ok',
    found: v6 === undefined ? '127.0.0.1 and ::1 work' : '127.0.0.1 works; ::1 does not',
  }
}

export function otherUsers({ userCount, platform, browsers }: Facts): CheckRow {
  const check = 'other users'
  if (userCount === undefined) return { check, state: 'skip', found: 'not known on this system' }
  if (userCount <= 1) return { check, state: 'ok', found: 'none' }
  const hasFirefox = browsers.some(({ browser, path }) => browser === 'firefox' && path !== undefined)
  const found = `${userCount} people have an account`
  if (platform === 'linux' || !hasFirefox) return { check, state: 'ok', found }
  return {
    check,
    state: 'warn',
    found: `${found}: while a Firefox starts, each of them can connect to its debugging port`,
    next: 'use Chromium, whose commands go through a pipe',
  }
}

export function output({ output: { path, problem, pictures, removedCount } }: Facts): CheckRow {
  const check = 'output folder'
  if (problem !== undefined)
    return { check, state: 'fail', found: `${path}: ${problem}`, next: 'pass another folder as --output-dir' }
  const found = `${path} is writable`
  if (pictures.length === 0) return { check, state: 'ok', found }
  const what = `${pictures.length} ${pictures.length === 1 ? 'picture' : 'pictures'} of failures in earlier sessions`
  return removedCount > 0
    ? { check, state: 'ok', found: `${found}; removed: ${what}` }
    : { check, state: 'ok', found: `${found}; it has ${what}`, next: 'footlight doctor --fix removes them' }
}
