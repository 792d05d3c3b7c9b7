const { default: Sequencer } = require('@jest/test-sequencer')
const { relative, join } = require('node:path')
const seconds = require('./seconds.json')

const root = join(__dirname, '..')

/** Starts the files that took longest first, so that none of them runs alone at the end; `jest/seconds.json` is written by `npm run test-seconds`. */
module.exports = class extends Sequencer {
  sort(tests) {
    const known = ({ path }) => seconds[relative(root, path)] ?? 0
    return [...tests].sort((one, other) => known(other) - known(one))
  }
}
