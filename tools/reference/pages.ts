/** Every reference page by its file name. A page appears as soon as the code it is printed from exists. */
export async function referencePages(): Promise<Readonly<Record<string, string>>> {
  return {}
}
