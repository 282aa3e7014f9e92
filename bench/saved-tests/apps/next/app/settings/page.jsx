import { visitorData } from '../../lib/store.js'
import { SettingsForm } from './settings-form.jsx'

export default async function Settings() {
  const { settings } = await visitorData()
  return (
    <>
      <h1>Settings</h1>
      <SettingsForm settings={settings} />
    </>
  )
}
