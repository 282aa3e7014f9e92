import { createApp } from 'vue'
import { createPinia } from 'pinia'
import { createRouter, createWebHistory } from 'vue-router'
import App from './App.vue'
import CartPage from './pages/CartPage.vue'
import CheckoutPage from './pages/CheckoutPage.vue'
import LoginPage from './pages/LoginPage.vue'
import OrderPage from './pages/OrderPage.vue'
import ProductPage from './pages/ProductPage.vue'
import ProductsPage from './pages/ProductsPage.vue'
import './style.css'

const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: '/', component: ProductsPage },
    { path: '/products/:id', component: ProductPage },
    { path: '/cart', component: CartPage },
    { path: '/checkout', component: CheckoutPage },
    { path: '/login', component: LoginPage },
    { path: '/orders/:number', component: OrderPage },
  ],
})

createApp(App).use(createPinia()).use(router).mount('#app')
