import { indexTowns } from './search-towns.ts'
import { townOf, type TownIndex, type TownsFile } from './town.ts'
import { townsUrl } from './towns-url.ts'

/** Fetches the towns that come with the app; what is looked for among them is asked of nobody. */
export async function fetchTowns(): Promise<TownIndex> {
  const answer = await fetch(townsUrl)
  if (!answer.ok) throw new Error(`the towns answered ${String(answer.status)}`)
  // The file is part of the build, so its shape is known.
  const { towns } = (await answer.json()) as TownsFile
  return indexTowns(towns.map(townOf))
}
