// Log in: a form, a redirect, a cookie.

import { page } from '../../../test/support/site.ts'
import { button, click, fill, readForm, type Task, textbox } from '../task.ts'

const form = (problem = '') =>
  page(
    `<h1>Log in</h1>${problem}<form method="post" action="/login"><p><label>User <input name="user" required></label>
    <p><label>Password <input name="password" type="password" required></label>
    <p><label><input type="checkbox" name="stay"> Stay logged in</label><p><button>Log in</button></form><a href="/forgot">Forgot password?</a>`,
    'Log in',
  )

export const logIn: Task = {
  name: 'log in',
  path: '/',
  rounds: [
    [fill(textbox('User'), 'ada'), fill(textbox('Password'), 'lovelace-1815'), click(button('Log in'))],
  ],
  result: /Welcome, ada/,
  create() {
    let loggedIn = ''
    return {
      isDone: () => loggedIn === 'ada',
      routes: {
        '/': form(),
        async '/login'(request, response) {
          const { user = '', password } = await readForm(request)
          if (password !== 'lovelace-1815')
            return void response.end(form('<p role="alert">Wrong password</p>'))
          response.writeHead(303, { location: '/home', 'set-cookie': `user=${user}` }).end()
        },
        '/home'(request, response) {
          loggedIn = /user=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
          response.setHeader('content-type', 'text/html; charset=utf-8')
          response.end(page(`<h1>Welcome, ${loggedIn}</h1><nav><a href="/">Log out</a></nav>`, 'Home'))
        },
      },
    }
  },
}
