"""The register model, generated from rtl/unison.rdl, and its ties to the APB agent."""
