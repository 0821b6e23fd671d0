/** The build answers it (towns-plugin/towns-plugin.ts). */
declare module 'virtual:towns-url' {
  export const townsUrl: string
}
