import fakeDataProvider from 'ra-data-fakerest'
import { Admin, CustomRoutes, ListGuesser, Resource } from 'react-admin'
import { createRoot } from 'react-dom/client'
import { Route } from 'react-router-dom'
import { authProvider } from './auth-provider.js'
import { Counter } from './counter.jsx'
import { customers } from './customers.js'

createRoot(document.getElementById('root')).render(
  <Admin authProvider={authProvider} dataProvider={fakeDataProvider({ customers })}>
    <Resource name="customers" list={ListGuesser} />
    <CustomRoutes noLayout>
      <Route path="/counter" element={<Counter />} />
    </CustomRoutes>
  </Admin>,
)
