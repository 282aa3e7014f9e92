// A server with a page for each way in which a guest is kept away from it, as the source of a program that reads PORT.

export const GUARDED = [
  'redirect',
  'same-url',
  'unauthorized',
  'forbidden',
  'basic',
  'modal',
  'client-redirect',
  'oauth',
  'expired',
  'hidden',
] as const

export const guardedSite = `const { createServer } = require('http')
const form = '<form><label>Mail <input name="mail"></label><label>Password <input type="password"></label><button>Log in</button></form>'
const page = (title, body) => '<!doctype html><meta charset="utf-8"><title>' + title + '</title><h1>' + title + '</h1>' + body
const pages = {
  '/': [200, page('Teas', '<p>Welcome</p>')],
  '/login': [200, page('Log in', form)],
  '/same-url': [200, page('Account', form)],
  '/unauthorized': [401, page('Unauthorized', '')],
  '/forbidden': [403, page('Members only', '')],
  '/modal': [200, page('Orders', '<dialog open aria-label="Sign in">' + form + '</dialog>')],
  '/client-redirect': [200, page('Loading', '<script>fetch("/api/me").then((answer) => { if (answer.status === 401) location = "/login" })</script>')],
  '/expired': [200, page('Orders', '<p>Your session has expired. Please log in again.</p><a href="/">Start</a>')],
  '/hidden': [404, page('Nothing here', '')],
}
createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://x')
  response.setHeader('content-type', 'text/html')
  const other = request.headers.host.replace('localhost', '127.0.0.1')
  if (pathname === '/redirect') return response.writeHead(302, { location: '/login' }).end()
  if (pathname === '/oauth') return response.writeHead(302, { location: 'http://' + other + '/authorize?client=teas' }).end()
  if (pathname === '/authorize') return response.end(page('Choose an account', '<button>ada</button>'))
  if (pathname === '/basic') return response.writeHead(401, { 'www-authenticate': 'Basic realm="teas"' }).end('no')
  const [status, body] = pages[pathname] || [pathname === '/api/me' ? 401 : 404, 'none']
  response.writeHead(status).end(body)
}).listen(process.env.PORT, () => console.log('http://localhost:' + process.env.PORT))
`
