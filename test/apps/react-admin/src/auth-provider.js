const KEY = 'signed-in'

export const authProvider = {
  login: async ({ username, password }) => {
    if (username !== 'admin' || password !== 'admin') throw new Error('Wrong username or password')
    localStorage.setItem(KEY, username)
  },
  logout: async () => localStorage.removeItem(KEY),
  checkAuth: async () => {
    if (!localStorage.getItem(KEY)) throw new Error('Sign in first')
  },
  checkError: async () => {},
  getIdentity: async () => ({ id: 1, fullName: 'Grace Hopper (admin)' }),
  getPermissions: async () => 'admin',
}
