const { readdirSync } = require('node:fs')
const { join } = require('node:path')

/** Folders of the core's source that are no nouns: they may wait, or know what waits. */
const others = new Set(['flows', 'ports', 'views', 'testing'])

/** Every other folder is a noun: pure. The linter and the import rules both read this, so a new folder is one at once. */
exports.nouns = readdirSync(join(__dirname, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !others.has(entry.name))
  .map(({ name }) => name)
