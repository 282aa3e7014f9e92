const HtmlWebpackPlugin = require('html-webpack-plugin')

module.exports = {
  mode: 'development',
  devServer: { port: 5320 },
  plugins: [new HtmlWebpackPlugin({ title: 'webpack-dev-server' })],
}
