/** In a narrow place it breaks after its at sign, not in the middle of a word. */
export function EmailText({ address }: { address: string }) {
  const domain = address.indexOf("@") + 1;
  return (
    <>
      {address.slice(0, domain)}
      <wbr />
      {address.slice(domain)}
    </>
  );
}
