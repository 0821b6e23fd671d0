/**
 * Where the icons are while one develops; a build writes the address of its own file here
 * (icons-plugin/icons-plugin.ts).
 */
export const iconsUrl = '/icons.svg'
