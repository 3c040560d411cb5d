/** Where everybody of the journeys lives who has to live somewhere. */
export const ADDRESS = {
  street: "Rua A",
  streetNumber: "10",
  zipCode: "01001000",
  country: "BR",
  state: "SP",
  city: "São Paulo",
  district: "Sé",
};
