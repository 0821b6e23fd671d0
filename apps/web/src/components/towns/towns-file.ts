import { indexTowns } from './search-towns.ts'
import { townOf, type Town, type TownIndex, type TownsFile } from './town.ts'
import { townsUrl } from './towns-url.ts'

const loading: { towns: Promise<readonly Town[]> | undefined } = { towns: undefined }

/**
 * The towns that come with the app, the largest first, fetched once; what is looked for among them is asked of nobody.
 */
export function loadTowns(): Promise<readonly Town[]> {
  loading.towns ??= readTowns().catch((error: unknown) => {
    loading.towns = undefined
    throw error
  })
  return loading.towns
}

export async function fetchTowns(): Promise<TownIndex> {
  return indexTowns(await loadTowns())
}

async function readTowns(): Promise<readonly Town[]> {
  const answer = await fetch(townsUrl)
  if (!answer.ok) throw new Error(`the towns answered ${String(answer.status)}`)
  // The file is part of the build, so its shape is known.
  const { towns } = (await answer.json()) as TownsFile
  return towns.map(townOf)
}
