import type { Search } from '../../lib/search.ts'

export type AgentFilter = { readonly capability: string | undefined; readonly min: number | undefined }

/**
 * What an address or a form asks of the directory, as the service takes it: small letters without accents, several
 * words as one. What means nothing there is left out, for a search that finds more is better than none.
 */
export function readAgentFilter(asked: Search): AgentFilter {
  const capability = (asked['capability'] ?? '')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .trim()
    .replaceAll(/\s+/g, '_')
    .replaceAll(/[^a-z0-9_-]/g, '')
    .slice(0, 50)
  const min = /^\d{1,3}$/.test(asked['min'] ?? '') ? Number(asked['min']) : undefined
  return {
    capability: capability === '' ? undefined : capability,
    min: min === undefined || min < 1 || min > 100 ? undefined : min,
  }
}
