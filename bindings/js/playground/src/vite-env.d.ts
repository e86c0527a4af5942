declare module "*?url" {
  const address: string;
  export default address;
}

declare module "*?raw" {
  const text: string;
  export default text;
}
