/** What a deployment says about itself in the documents for programs. */
export type About = {
  readonly baseUrl: string
  readonly version: string
  /** Where the tool server answers; undefined while this deployment has none. */
  readonly mcpUrl?: string
  readonly tools?: readonly { readonly name: string; readonly title: string }[]
}
