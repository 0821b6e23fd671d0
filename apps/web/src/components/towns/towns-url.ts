/**
 * Where the towns are while one develops; a build writes the address of its own file here
 * (towns-plugin/towns-plugin.ts).
 */
export const townsUrl = '/towns.json'
