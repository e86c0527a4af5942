#define ELICIT_GUARDIAN_IMPLEMENTATION
#include "elicit_guardian.h"

EG_MANIFEST("guardian.json");
