/** One row of the settings page. */
export type Setting = { readonly name: string; readonly default: string; readonly says: string; readonly secret?: true }
