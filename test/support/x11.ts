// Closes windows as a person does: the window manager asks the program to delete the window.

import { dlopen, FFIType, type Pointer, ptr, read } from 'bun:ffi'

const { i32, u64, cstring, pointer } = FFIType

/** Asks all visible windows of a display to close. Returns how many there were. */
export function closeWindows(display: string): number {
  const { symbols: x } = dlopen('libX11.so.6', {
    XOpenDisplay: { args: [cstring], returns: pointer },
    XDefaultRootWindow: { args: [pointer], returns: u64 },
    XInternAtom: { args: [pointer, cstring, i32], returns: u64 },
    XQueryTree: { args: [pointer, u64, pointer, pointer, pointer, pointer], returns: i32 },
    XGetWindowProperty: {
      args: [pointer, u64, u64, u64, u64, i32, u64, pointer, pointer, pointer, pointer, pointer],
      returns: i32,
    },
    XSendEvent: { args: [pointer, u64, i32, u64, pointer], returns: i32 },
    XCloseDisplay: { args: [pointer], returns: i32 },
  })
  const text = (value: string) => Buffer.from(`${value}\0`)
  const connection = x.XOpenDisplay(text(display))
  if (!connection) throw new Error(`no display ${display}`)
  const atom = (name: string) => BigInt(x.XInternAtom(connection, text(name), 0))
  const [protocols, deletion] = [atom('WM_PROTOCOLS'), atom('WM_DELETE_WINDOW')]
  const [rootOut, parentOut, childrenOut, countOut] = [8, 8, 8, 4].map((size) => Buffer.alloc(size))
  x.XQueryTree(
    connection,
    x.XDefaultRootWindow(connection),
    ptr(rootOut!),
    ptr(parentOut!),
    ptr(childrenOut!),
    ptr(countOut!),
  )
  const count = countOut!.readUInt32LE(0)
  const children = Number(childrenOut!.readBigUInt64LE(0)) as Pointer
  let closedCount = 0
  for (let index = 0; index < count; index += 1) {
    const window = read.u64(children, index * 8)
    const outs = [8, 4, 8, 8, 8].map((size) => Buffer.alloc(size))
    x.XGetWindowProperty(
      connection,
      window,
      protocols,
      0n,
      32n,
      0,
      0n,
      ...(outs.map((out) => ptr(out)) as [Pointer, Pointer, Pointer, Pointer, Pointer]),
    )
    if (outs[2]!.readBigUInt64LE(0) === 0n) continue
    const event = Buffer.alloc(192)
    event.writeInt32LE(33, 0)
    event.writeBigUInt64LE(window, 32)
    event.writeBigUInt64LE(protocols, 40)
    event.writeInt32LE(32, 48)
    event.writeBigUInt64LE(deletion, 56)
    x.XSendEvent(connection, window, 0, 0n, ptr(event))
    closedCount += 1
  }
  x.XCloseDisplay(connection)
  return closedCount
}
