import { NextResponse } from 'next/server'

// Every visitor has tickets of their own.
export function proxy(request) {
  if (request.cookies.has('sid')) return NextResponse.next()
  const sid = crypto.randomUUID()
  request.cookies.set('sid', sid)
  const response = NextResponse.next({ request: { headers: withCookie(request.headers, sid) } })
  response.cookies.set('sid', sid, { httpOnly: true, sameSite: 'lax' })
  return response
}

function withCookie(headers, sid) {
  const copy = new Headers(headers)
  copy.set('cookie', [headers.get('cookie'), `sid=${sid}`].filter(Boolean).join('; '))
  return copy
}

export const config = { matcher: ['/((?!_next|favicon).*)'] }
