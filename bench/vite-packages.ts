// The packages of the Vite applications that the benchmarks make.

export const VITE_PACKAGES = {
  vite: '^7',
  react: '^19',
  'react-dom': '^19',
  'react-router-dom': '^7',
  '@vitejs/plugin-react': '^5',
  vue: '^3',
  '@vitejs/plugin-vue': '^6',
  svelte: '^5',
  '@sveltejs/vite-plugin-svelte': '^6',
  'solid-js': '^1',
  'vite-plugin-solid': '^2',
  preact: '^10',
  '@preact/preset-vite': '^2',
  '@babel/core': '^7',
  lit: '^3',
}
