import { defineStore } from 'pinia'
import { request } from './api.js'

const coupons = { WELCOME10: 0.1 }

export const useCart = defineStore('cart', {
  state: () => ({ lines: [], coupon: '' }),
  getters: {
    count: (state) => state.lines.reduce((sum, line) => sum + line.quantity, 0),
    subtotal: (state) => state.lines.reduce((sum, line) => sum + line.product.price * line.quantity, 0),
    discount() {
      return Math.round(this.subtotal * (coupons[this.coupon] ?? 0))
    },
    total() {
      return this.subtotal - this.discount
    },
  },
  actions: {
    add(product) {
      const line = this.lines.find((one) => one.product.id === product.id)
      if (line) line.quantity += 1
      else this.lines.push({ product, quantity: 1 })
    },
    remove(id) {
      this.lines = this.lines.filter((line) => line.product.id !== id)
    },
    applyCoupon(code) {
      if (!(code in coupons)) return false
      this.coupon = code
      return true
    },
    empty() {
      this.lines = []
      this.coupon = ''
    },
  },
})

export const useAccount = defineStore('account', {
  state: () => ({ user: null }),
  actions: {
    async load() {
      this.user = (await request('GET', '/me')).user
    },
    async login(email, password) {
      this.user = (await request('POST', '/login', { email, password })).user
    },
    async logout() {
      await request('POST', '/logout')
      this.user = null
    },
  },
})
