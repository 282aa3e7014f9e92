export default {
  framework: '@storybook/react-vite',
  stories: ['../src/*.stories.jsx'],
  // Its guide ticks off what was done, and comes or not: its server has to answer within a second.
  features: { sidebarOnboardingChecklist: false },
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  typescript: { reactDocgen: false },
}
