/** Browsers keep passkeys for a name; an address is none. */
export function isPasskeyPlace(hostname: string): boolean {
  return !hostname.startsWith('[') && !/^\d{1,3}(?:\.\d{1,3}){3}$/.test(hostname)
}
